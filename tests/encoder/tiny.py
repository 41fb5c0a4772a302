"""Tiny random encoders of every architecture, with real fast tokenizers: milliseconds to make, no files.

    model = tiny_model("bert")        # a transformers model: 3 layers of 32
    encoder = tiny_encoder("bert")    # the same as a twinset Encoder, mean pooling

Every call makes a new one (tests may train it); the same architecture and seed give the same weights.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from twinset.encoder.backbone import Backbone
from twinset.encoder.encoder import Encoder

if TYPE_CHECKING:
    from torch import nn
    from transformers import PretrainedConfig, PreTrainedTokenizerFast

    from twinset.encoder.pooling import Pooling

ARCHITECTURES = ("bert", "roberta", "distilbert", "mpnet", "electra", "xlm-roberta", "modernbert")
MAX_LENGTH = 128

SENTENCES = (
    "a cat sat on the mat",
    "the dog runs in the park",
    "a red car is parked in the street",
    "the printer does not print any more",
    "how do i reset my password",
    "my password does not work, how do i change it?",
    "the quick brown fox jumps over the lazy dog",
    "two men are playing guitar on a stage",
    "a woman is slicing an onion",
    "rain is falling",
)
_WORDS = tuple(sorted({word for text in SENTENCES for word in text.split() if word.isalpha()}))
_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,?!:;'\"()-_/"


def tiny_encoder(architecture: str, seed: int = 0, *, pooling: Pooling = "mean") -> Encoder:
    """A twinset encoder around `tiny_model`."""
    backbone = Backbone(tiny_model(architecture, seed), pooling=pooling)
    return Encoder(
        backbone,
        tiny_tokenizer(architecture),
        max_length=MAX_LENGTH,
        name=f"tiny-{architecture}",
        precision="fp32",  # numbers that do not depend on what the processor can do
    )


def tiny_model(architecture: str, seed: int = 0, *, longest: int = MAX_LENGTH) -> nn.Module:
    """A transformers model with random weights, without a pooler, in training mode."""
    config = _config(architecture, longest)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        without_pooler = architecture in {"bert", "roberta", "xlm-roberta", "mpnet"}
        kind = transformers.AutoModel._model_mapping[type(config)]
        model = kind(config, add_pooling_layer=False) if without_pooler else kind(config)
    return model.train()


def tiny_tokenizer(architecture: str) -> PreTrainedTokenizerFast:
    """A fast tokenizer in the architecture's manner, its own copy."""
    names = _special_names(architecture)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer.from_str(_tokenizer_json(architecture)),
        model_max_length=MAX_LENGTH,
        **names,
    )


def _special_names(architecture: str) -> dict[str, str]:
    if architecture in {"roberta", "xlm-roberta", "mpnet"}:
        names = {"cls_token": "<s>", "pad_token": "<pad>", "sep_token": "</s>", "unk_token": "<unk>"}
        return {**names, "mask_token": "<mask>"}
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return {**names, "mask_token": "[MASK]"}


@cache
def _tokenizer_json(architecture: str) -> str:
    names = _special_names(architecture)
    specials = list(names.values())
    if architecture in {"roberta", "xlm-roberta", "modernbert"}:
        tokenizer = _byte_pairs(specials)
    else:
        tokenizer = _word_pieces(specials, unknown=names["unk_token"])
    first, last = names["cls_token"], names["sep_token"]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}",
        pair=f"{first} $A {last} $B {last}",
        special_tokens=[(name, tokenizer.token_to_id(name)) for name in (first, last)],
    )
    return tokenizer.to_str()


def _word_pieces(specials: list[str], unknown: str) -> Tokenizer:
    pieces = [*specials, *_CHARACTERS, *(f"##{character}" for character in _CHARACTERS), *_WORDS]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token=unknown))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def _byte_pairs(specials: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=specials, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(SENTENCES, trainer)
    return tokenizer


def _config(architecture: str, longest: int) -> PretrainedConfig:
    tokenizer = Tokenizer.from_str(_tokenizer_json(architecture))
    pad = tokenizer.token_to_id(_special_names(architecture)["pad_token"])
    shape = {
        "vocab_size": tokenizer.get_vocab_size(),
        "hidden_size": 32,
        "num_hidden_layers": 3,  # two could not tell first_last from last_two
        "num_attention_heads": 4,
        "intermediate_size": 64,
        "pad_token_id": pad,
        "max_position_embeddings": longest,
        "initializer_range": 0.2,  # wide, so that texts, positions and layers differ visibly
    }
    offset = {**shape, "max_position_embeddings": longest + 2}
    specials = {name: tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]")}
    makers = {
        "bert": lambda: transformers.BertConfig(**shape),
        "roberta": lambda: transformers.RobertaConfig(**offset, type_vocab_size=1),
        "xlm-roberta": lambda: transformers.XLMRobertaConfig(**offset, type_vocab_size=1),
        "mpnet": lambda: transformers.MPNetConfig(**offset),
        "electra": lambda: transformers.ElectraConfig(**shape, embedding_size=16),
        "distilbert": lambda: transformers.DistilBertConfig(
            vocab_size=shape["vocab_size"],
            dim=32,
            n_layers=3,
            n_heads=4,
            hidden_dim=64,
            pad_token_id=pad,
            max_position_embeddings=longest,
            initializer_range=0.2,
        ),
        "modernbert": lambda: transformers.ModernBertConfig(
            **shape,
            local_attention=8 if longest == MAX_LENGTH else 128,  # as large as real ones where texts are long
            global_attn_every_n_layers=3,
            cls_token_id=specials["[CLS]"],
            sep_token_id=specials["[SEP]"],
            bos_token_id=specials["[CLS]"],
            eos_token_id=specials["[SEP]"],
        ),
    }
    return makers[architecture]()

"""An encoder's transformer as an OpenVINO graph, for the processors that OpenVINO knows best."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from twinset.encoder.backends import GRAPH_FILES
from twinset.encoder.openvino_runtime import load_openvino
from twinset.encoder.save import save
from twinset.export.readers import suit_readers
from twinset.export.tracing import INPUTS, States, example, exporting, try_out

if TYPE_CHECKING:
    from twinset.encoder import Card, Encoder


def to_openvino(
    encoder: Encoder, folder: str | Path, *, card: Card | None = None, overwrite: bool = False
) -> None:
    """Write a folder as `save_pretrained` does, with `openvino/openvino_model.xml` and `.bin` in it.

    `Encoder.from_pretrained(folder, backend="openvino")` runs the graph, and so does
    `SentenceTransformer(folder, backend="openvino")`; without `backend` both open the weights as ever.
    """
    library = load_openvino()

    def write(draft: Path) -> None:
        states, file = States(encoder), draft / GRAPH_FILES["openvino"]
        file.parent.mkdir()
        with exporting(encoder, "an OpenVINO graph"):
            graph = library.convert_model(states, example_input=example(encoder))
            for ports, names in ((graph.inputs, INPUTS), (graph.outputs, states.names)):
                for port, name in zip(ports, names, strict=True):
                    port.get_tensor().set_names({name})
            # By default it would keep the weights in 16 bits.
            library.save_model(graph, str(file), compress_to_fp16=False)
        try_out(file, "openvino", states, encoder)
        suit_readers(draft, "openvino", encoder.pooling)

    save(encoder, Path(folder).expanduser(), card=card, overwrite=overwrite, extra=write)

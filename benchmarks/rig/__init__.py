"""What measurements share: workers that take turns, memory, texts, encoders, tables."""

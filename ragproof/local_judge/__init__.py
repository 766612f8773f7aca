"""A real judge on this machine: SmolLM2-135M in llama.cpp, behind the chat completions API, on loopback.

It is here so that the protocol, schemas, usage and costs can be seen at work without a key. A model of this
size is a poor judge, which calibration says; nobody should take its verdicts for any.
"""

"""Whose model a name means, by its words and never by parts of words."""

from __future__ import annotations

import pytest

from grader.judge.cards import load_card
from grader.judge.family import family, kin

NAMES = {
    "openai/gpt-4o": "openai",
    "gpt-5.4-2026-03-05": "openai",
    "azure/o4-mini": "openai",
    "o3": "openai",
    "chatgpt-4o-latest": "openai",
    "openrouter/openai/gpt-oss-120b": "openai",
    "bedrock/us.anthropic.claude-3-5-sonnet-20241022-v2:0": "anthropic",
    "vertex_ai/claude-sonnet-4@20250514": "anthropic",
    "gemini/gemini-3.8-flash": "google",
    "google/gemma3": "google",
    "hosted_vllm/meta-llama/Llama-3.3-70B-Instruct": "meta",
    "ollama/llama3.1:8b": "meta",
    "deepseek-r1-distill-qwen-7b": "deepseek qwen",
    "nvidia/Llama-3.1-Nemotron-70B-Instruct": "meta nvidia",
    "nemotron-4-340b": "nvidia",
    "microsoft/MAI-DS-R1": "deepseek microsoft",
    "open-mixtral-8x22b": "mistral",
    "QwQ-32B": "qwen",
    "xai/grok-4": "xai",
    "cohere/command-r-plus": "cohere",
    "phi4-mini": "microsoft",
    "zai-org/GLM-4.6": "zhipu",
    "moonshotai/Kimi-K2": "moonshot",
    "MiniMax-M2": "minimax",
    "ibm-granite/granite-3.3-8b": "ibm",
    "allenai/OLMo-2": "ai2",
    "SmolLM2-135M-Instruct": "huggingface",
    "intern-s1": "intern",
    "Yi-1.5-34B": "yi",
    "baichuan2-13b": "baichuan",
    "step-3": "stepfun",
    "doubao-seed-1-6": "bytedance",
    "gpt-neox-20b": "eleutherai",
    "marco-o1": "qwen",
    # words that only look like a family's
    "openai/my-local": "",
    "llama.cpp/model": "",
    "gpt4all": "",
    "my-command-model": "",
    "philosopher": "",
    "claudette": "",
    "step-by-step-7b": "",
    "demo-strong": "",
    "": "",
}


@pytest.mark.parametrize(("name", "families"), NAMES.items())
def test_a_name_means_its_families(name, families):
    assert family(name) == frozenset(families.split())


def card(folder, text, name="judge"):
    (folder / f"{name}.toml").write_text(text)
    return load_card(str(folder / f"{name}.toml"))


@pytest.mark.parametrize(
    ("text", "model", "shared"),
    [
        ('model = "openai/gpt-4o"', "gpt-3.5-turbo", "openai"),
        ('model = "openai/gpt-4o"', "claude-sonnet-4-6", None),
        ('model = "openai/gpt-4o"', "demo-strong", None),
        # OpenAI's own API serves OpenAI's models; another server that speaks its language doesn't
        ('model = "openai/unheard-of"', "gpt-4o", "openai"),
        ('model = "openai/unheard-of"\napi_base = "http://127.0.0.1:1/v1"', "gpt-4o", None),
        # what the card says goes before what its name means
        ('model = "azure/my-deployment"\nfamily = "openai"', "o3", "openai"),
        ('model = "azure/my-deployment"\nfamily = "Llama"', "codellama", "meta"),
        ('model = "hosted_vllm/claude"\nfamily = "ours"', "claude-opus-4-5", None),
        # the very model is its own kin, whatever its family
        ('model = "hosted_vllm/lab/secret-7b"', "secret-7b", "secret-7b"),
        ('model = "hosted_vllm/deepseek-r1-distill-qwen-7b"', "deepseek-qwen-merge", "deepseek and qwen"),
    ],
)
def test_a_judge_of_the_answering_models_family_is_told(tmp_path, text, model, shared):
    assert kin(card(tmp_path, text), model) == shared


def test_a_panel_is_kin_through_any_member(tmp_path):
    card(tmp_path, 'model = "openai/gpt-4o"', "a")
    card(tmp_path, 'model = "gemini/gemini-3.8-flash"', "b")
    panel = card(tmp_path, 'panel = ["a", "b"]')
    assert kin(panel, "gemma-3-27b-it") == "google"
    assert kin(panel, "grok-4") is None

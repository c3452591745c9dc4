# Two commands matter: `make demo` and `make test`. Both set everything up by themselves.

UV_VERSION := 0.13.8
UV := .tools/bin/uv
READY := .venv/.ready
VAULT := examples/vault
# The long files come first as they are listed; more processes would want more memory than cores.
# A process that crashes ends the run: one put in its place would wait for work for ever.
TESTS := .venv/bin/pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder \
  --max-worker-restart 0
DEMO := BRAIN_VAULT=examples/vault BRAIN_DATA_DIR=.demo BRAIN_MODE=local .venv/bin/brain

.PHONY: setup install demo test torture check conformance bench bench-graph eval schema neo4j neo4j-stop clean

# What `make install` adds to: EXTRAS="pages postgres otel providers".
EXTRAS :=

# Compiled once here, or every command would compile what it imports where none may be kept.
define sync
	@echo "Installing the locked packages. Where the C library is older than glibc 2.39 (Debian 12,"
	@echo "Ubuntu 22.04) the embedded graph database is compiled now: about two minutes, no hang."
	@$(UV) sync --frozen --quiet --compile-bytecode $(1)
	@.venv/bin/python -m compileall -q graphs agents tools prompts evals
endef

setup: $(READY)

# Only what is needed to use it; what is there already stays.
install: $(UV)
	$(call sync,--inexact --no-default-groups $(EXTRAS:%=--extra %))

$(UV):
	@echo "Fetching uv $(UV_VERSION), which installs everything else."
	@PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1 \
	  python3 -m pip install --quiet --target .tools "uv==$(UV_VERSION)"

$(READY): $(UV) pyproject.toml uv.lock .python-version
	$(call sync,)
	@touch $(READY)

demo: $(READY)
	@$(DEMO) index
	@for question in \
	    "Do atomic notes improve long-term recall?" \
	    "How has my thinking about atomic notes changed over time?" \
	    "Compare Zettelkasten and PARA"; do \
	  printf '\n\n$$ brain ask "%s"\n\n' "$$question"; \
	  $(DEMO) ask "$$question" || exit 1; \
	done
	@$(DEMO) stop

test: $(READY)
	@$(TESTS)

# Before a release: each guarantee at all its moments, sizes and wordings, then hours of fuzzing and
# of questions. VAULTS are real ones, to be asked of.
torture: $(READY)
	@HYPOTHESIS_PROFILE=torture $(TESTS) --timeout 3600 -m "torture or not torture"
	@.venv/bin/python -m tests.fuzz --seconds 600
	@.venv/bin/python -m tests.bench.soak --questions 10000 $(or $(VAULTS),$(VAULT))

check: $(READY)
	@.venv/bin/ruff format --check .
	@.venv/bin/ruff check .
	@.venv/bin/basedpyright
	@.venv/bin/lint-imports --no-logo
	@HYPOTHESIS_PROFILE=ci $(TESTS) -rs

# The protocol's own suite against `brain serve`: npx fetches it, and the Node that it wants.
conformance: $(READY)
	@.venv/bin/python -m tests.contract.conformance

# Every role of a model, filled by a small real one; llama.cpp is compiled for it (minutes).
test-model: $(READY)
	@.tools/bin/uv sync --frozen --group model
	@.venv/bin/pytest -rs tests/integration/models/test_real_model.py

bench: $(READY)
	@.venv/bin/python -m tests.bench.run $(VAULT)

# BENCH_GRAPH=--neo4j measures a Neo4j server of its own (`make neo4j` fetches it) instead.
bench-graph: $(READY)
	@.venv/bin/python -m tests.bench.graph $(BENCH_GRAPH)
	@.venv/bin/python -m tests.bench.history

# FILES="a.jsonl b.jsonl" are measured too, beside the project's own questions.
eval: $(READY)
	@.venv/bin/python -m evals $(FILES)
	@.venv/bin/pytest evals/suites

schema: $(READY)
	@.venv/bin/python -m tests.contract.answer_schema > docs/answer.schema.json
	@.venv/bin/python -m tests.contract.tool_list > graphs/mcp/tools.json

# A Neo4j server on loopback for tests and for a look; the first time it is fetched with Maven.
neo4j: $(READY)
	@.venv/bin/python scripts/neo4j/serve.py start

neo4j-stop: $(READY)
	@.venv/bin/python scripts/neo4j/serve.py stop

clean:
	@rm -rf .venv .tools .demo

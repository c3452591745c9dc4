"""The protocol's own conformance suite against ``brain serve``: ``make conformance``.

It is fetched from npm when it is run (`make conformance`). Scenarios that call tools, prompts or
resources of the suite's own demonstration server cannot pass with another one: they are listed,
each with its reason, in ``conformance.yml``, and the run fails for any other and for one of these
that passes by now. Arguments are passed on to the suite.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.processes.command_line import environment, run_here
from tests.support.processes.service_process import running_service
from tests.support.processes.token_proxy import token_proxy

_SUITE, _NODE = "@modelcontextprotocol/conformance@0.1.16", "node@22"
_VAULT = Path(__file__).parents[2] / "examples" / "vault"
_EXPECTED = Path(__file__).with_name("conformance.yml")


def main(arguments: list[str]) -> int:
    """Run the suite; its exit code."""
    npx = ["npx", "--yes", "--package", _NODE, "--package", _SUITE, "--", "conformance", "server"]
    with tempfile.TemporaryDirectory(prefix="brain-conformance-") as folder:
        variables = environment(_VAULT, Path(folder) / "data")
        run_here("index", environment=variables)
        with running_service(variables, "--port", "0") as serving:
            assert serving.port is not None
            with token_proxy(serving.port, serving.token) as port:
                url = f"http://127.0.0.1:{port}/mcp"
                told = ["--url", url, "--expected-failures", str(_EXPECTED), *arguments]
                done = subprocess.run([*npx, *told], env=os.environ, cwd=folder, check=False)
        run_here("stop", environment=variables)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

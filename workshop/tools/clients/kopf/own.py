"""Kopf's own tests that talk to a server, those of its examples, as its source package has them: a line of JSON for every case."""

import glob
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as xml

kubeconfig = sys.argv[1]
[folder] = glob.glob("source/kopf-*/")
environment = {**os.environ, "KUBECONFIG": os.path.abspath(kubeconfig)}
report = os.path.abspath("report.xml")
command = [os.path.abspath("venv/bin/python"), "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", f"--junitxml={report}", "--timeout=120", "--only-e2e", "tests/e2e", "examples"]
subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=False)
for case in xml.parse(report).iter("testcase"):
    problem = case.find("failure")
    if problem is None:
        problem = case.find("error")
    skipped = case.find("skipped") is not None
    line = {"case": f"{case.get('classname')}.{case.get('name')}", "passed": problem is None}
    if skipped:
        line["skipped"] = True
    if problem is not None:
        line["why"] = problem.get("message", "")
    print(json.dumps(line), flush=True)

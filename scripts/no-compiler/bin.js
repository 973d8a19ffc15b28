#!/usr/bin/env node
// Nothing to do: see package.json beside.

#!/usr/bin/env node
'use strict';

const { fail } = require('./commandLine');

// `npm run sandbox -- <name>`, for the service without a name; docs/dev/sandbox.md tells of each.

const TOOLS = {
	service: './service/cli.js',
	vendors: './vendors/cli.js',
	check: './checkService.mjs',
	arrivals: './arrivals/cli.mjs',
	services: './services/cli.js',
};

const isNamed = process.argv[2] !== undefined && !process.argv[2].startsWith('-');
const [name] = isNamed ? process.argv.splice(2, 1) : ['service'];
if (Object.hasOwn(TOOLS, name)) void import(TOOLS[name]);
else fail(`The names are: ${Object.keys(TOOLS).join(', ')}.`);

'use strict';

const { readFileSync } = require('node:fs');
const path = require('node:path');

// docs/queue-mode/docker-compose.yml, as the test of queue mode takes it. It has no YAML that needs a parser.

const FILE = path.resolve(__dirname, '..', '..', '..', 'docs', 'queue-mode', 'docker-compose.yml');
const compose = readFileSync(FILE, 'utf8');

const [, block] = /^  environment: &environment\n((?: {4}.*\n)+)/m.exec(compose);
const [, command] = /^    command: (\['worker'.*\])$/m.exec(compose);
const [, replicas] = /deploy: \{ replicas: (\d+) \}/.exec(compose);

/**
 * The settings of main and all workers; those that .env fills in have `${`.
 * @type {Record<string, string>}
 */
const settings = Object.fromEntries(
	[...block.matchAll(/^ +(\w+): (.+)$/gm)].map(([, name, value]) => [
		name,
		value.replace(/^'(.*)'$/, '$1'),
	]),
);
const fixed = Object.fromEntries(
	Object.entries(settings).filter(([, value]) => !value.includes('${')),
);
/** n8n's command for a worker. */
const worker = JSON.parse(command.replaceAll("'", '"'));

module.exports = { compose, settings, fixed, worker, replicas: Number(replicas) };

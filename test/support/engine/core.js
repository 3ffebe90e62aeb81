'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { makeDeduplicator } = require('./deduplicator');
const { setPatientPatterns } = require('./patientPatterns');

let loaded;

/** n8n reads its settings once, when its classes are made; the folder is not needed after that. */
function initSettings(core, Container) {
	const userFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'n8n-user-'));
	Object.assign(process.env, {
		N8N_USER_FOLDER: userFolder,
		N8N_ENCRYPTION_KEY: 'engine-test-harness',
		N8N_LOG_LEVEL: 'silent',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'false',
		// n8n's HTTP helper obeys HTTP_PROXY; the tests' services are all local.
		NO_PROXY: '127.0.0.1,localhost',
	});
	Container.get(core.InstanceSettings);
	fs.rmSync(userFolder, { recursive: true });
}

function makeLogger(logs) {
	const logger = { scoped: () => logger };
	for (const level of ['error', 'warn', 'info', 'debug', 'verbose']) {
		logger[level] = (message, metadata) => logs.push({ level, message, metadata });
	}
	return logger;
}

/** Loads n8n-core, n8n-workflow and the container they share; n8n's log lines go to `logs`. */
function loadCore() {
	if (loaded) return loaded;
	const coreDirectory = path.dirname(require.resolve('n8n-core/package.json'));
	// As n8n-core itself would load it, so that both see one dependency-injection container.
	const requireFrom = (name) => require(require.resolve(name, { paths: [coreDirectory] }));

	require('reflect-metadata');
	const workflow = require('n8n-workflow');
	setPatientPatterns(workflow);
	const { Container } = requireFrom('@n8n/di');
	const { Logger } = requireFrom('@n8n/backend-common');
	const core = require('n8n-core');
	const logs = [];
	Container.set(Logger, makeLogger(logs));
	workflow.LoggerProxy.init(makeLogger(logs));
	initSettings(core, Container);
	const deduplicator = makeDeduplicator();
	void core.DataDeduplicationService.init(deduplicator);
	// What n8n packs executions with before it stores them.
	const flatted = requireFrom('flatted');
	const copy = (value) => flatted.parse(flatted.stringify(value));
	loaded = { core, workflow, Container, logs, copy, deduplicator };
	return loaded;
}

module.exports = { loadCore };

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** The two n8n-core packages this repository installs, by n8n's major version. */
const CORE_PACKAGES = { 1: 'n8n-core-1', 2: 'n8n-core' };

const loadedByVersion = {};

/** The version the running Jest project is for: its `globals.N8N_CORE`, '2' without. */
function projectVersion() {
	return String(globalThis.N8N_CORE ?? '2');
}

/** Loads a package as n8n-core itself would, so that both see one dependency-injection container. */
function requireFrom(packageName, coreDirectory) {
	return require(require.resolve(packageName, { paths: [coreDirectory] }));
}

/**
 * The built nodes say `require('n8n-workflow')`. Unless that is the copy n8n-core uses,
 * `instanceof` checks between node and engine fail in ways no n8n shows.
 */
function assertOneWorkflowPackage(version, coreDirectory) {
	const nested = path.join(coreDirectory, 'node_modules', 'n8n-workflow');
	const beside = path.join(path.dirname(coreDirectory), 'n8n-workflow');
	const wanted = fs.existsSync(nested) ? nested : beside;
	if (require.resolve('n8n-workflow').startsWith(wanted + path.sep)) return;
	throw new Error(
		`createEngine('${version}') needs the Jest project for n8n ${version}: here "n8n-workflow" ` +
			`is not the copy that ${CORE_PACKAGES[version]} uses`,
	);
}

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

/**
 * @param {'1' | '2'} version major version of n8n
 * @returns n8n-core, n8n-workflow and the container they share; n8n's log lines go to `logs`
 */
function loadCore(version) {
	if (loadedByVersion[version]) return loadedByVersion[version];
	const packageName = CORE_PACKAGES[version];
	if (!packageName) throw new Error(`There is no n8n-core for version "${version}"`);
	const coreDirectory = path.dirname(require.resolve(`${packageName}/package.json`));
	assertOneWorkflowPackage(version, coreDirectory);

	require('reflect-metadata');
	const workflow = require('n8n-workflow');
	const { Container } = requireFrom('@n8n/di', coreDirectory);
	const { Logger } = requireFrom('@n8n/backend-common', coreDirectory);
	const core = require(packageName);
	const logs = [];
	Container.set(Logger, makeLogger(logs));
	workflow.LoggerProxy.init(makeLogger(logs));
	// Its timer keeps an n8n 1 test process alive, and no node here opens SSH tunnels.
	const sshModule = 'dist/execution-engine/ssh-clients-manager';
	Container.set(require(path.join(coreDirectory, sshModule)).SSHClientsManager, {});
	initSettings(core, Container);
	// What n8n packs executions with before it stores them.
	const flatted = requireFrom('flatted', coreDirectory);
	const copy = (value) => flatted.parse(flatted.stringify(value));
	loadedByVersion[version] = { version, core, workflow, Container, logs, copy };
	return loadedByVersion[version];
}

module.exports = { loadCore, projectVersion };

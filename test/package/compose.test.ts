import { load } from 'js-yaml';

import { read } from './support/files';

interface Service {
	image: string;
	command?: string[];
	environment?: Record<string, string>;
	depends_on?: Record<string, unknown>;
	volumes?: string[];
	deploy?: { replicas: number };
}

const text = read('docs/queue-mode/docker-compose.yml');
const compose = load(text) as { services: Record<string, Service>; volumes: object };
const tested = read('e2e/support/queue.mjs');

/** The settings of `queueMode` and the numbers of workers and slots in the tests' queue mode. */
const valueOf = (name: string) => new RegExp(`${name}: '([^']+)'`).exec(tested)?.[1];

describe('docs/queue-mode/docker-compose.yml', () => {
	it('has the settings that the tests of queue mode run with', () => {
		const { environment } = compose.services.main;
		for (const name of ['EXECUTIONS_MODE', 'DB_TYPE', 'N8N_DEFAULT_BINARY_DATA_MODE']) {
			expect([name, environment?.[name]]).toEqual([name, valueOf(name)]);
		}
		expect(compose.services.worker.environment).toEqual(environment);
		const [, workers, slots] = /workers = (\d+),\s+concurrency = (\d+)/.exec(tested) ?? [];
		expect(compose.services.worker.deploy).toEqual({ replicas: Number(workers) });
		expect(compose.services.worker.command).toEqual(['worker', `--concurrency=${slots}`]);
	});

	it('installs this package, in the n8n that is tested, where main and workers find it', () => {
		const { name } = JSON.parse(read('package.json')) as { name: string };
		const { dependencies } = JSON.parse(read('sandbox/n8n/package.json')) as {
			dependencies: { n8n: string };
		};
		const { 'install-nodes': install, main, worker } = compose.services;
		expect(install.command?.join(' ')).toContain(` ${name} `);
		for (const service of [install, main, worker]) {
			expect(service.image).toMatch(new RegExp(`:${dependencies.n8n}$`));
			expect(service.volumes).toContain('nodes:/home/node/.n8n/nodes');
		}
	});
});

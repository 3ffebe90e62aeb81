import { read, readJson } from './support/files';

const compose = read('docs/queue-mode/docker-compose.yml');
const tested = read('e2e/support/queue.mjs');

describe('docs/queue-mode/docker-compose.yml', () => {
	it.each(['EXECUTIONS_MODE', 'DB_TYPE', 'N8N_DEFAULT_BINARY_DATA_MODE'])(
		'has %s as the test of queue mode',
		(name) => {
			const [, value] = new RegExp(`${name}: '([^']+)'`).exec(tested)!;
			expect(compose).toMatch(new RegExp(`^ +${name}: ${value}$`, 'm'));
		},
	);

	it('has the n8n and the slots of a worker that are tested', () => {
		expect(tested).toContain("'--concurrency=2'");
		expect(compose).toContain("'--concurrency=2'");
		const { dependencies } = readJson<{ dependencies: { n8n: string } }>(
			'sandbox/n8n/package.json',
		);
		const images = [...compose.matchAll(/n8nio\/n8n:(\S+)/g)].map(([, version]) => version);
		expect(images).toEqual([dependencies.n8n, dependencies.n8n]);
	});
});

import { compose, fixed, replicas, settings, worker } from './support/compose';
import { read, readJson } from './support/files';

// e2e/queueMode.test.mjs runs n8n with what this file sets, without Docker.

const { name, version } = readJson<{ name: string; version: string }>('package.json');
const tarball = `${name}-${version}.tgz`;

describe('docs/queue-mode/docker-compose.yml', () => {
	it('sets what the test of queue mode takes from it', () => {
		expect(fixed).toMatchObject({
			...{ EXECUTIONS_MODE: 'queue', DB_TYPE: 'postgresdb', QUEUE_HEALTH_CHECK_ACTIVE: 'true' },
			N8N_DEFAULT_BINARY_DATA_MODE: 'database',
			N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE: '255',
		});
		expect([worker, replicas]).toEqual([['worker', '--concurrency=2'], 2]);
		expect(read('e2e/support/queue.mjs')).toContain('...fixed,');
	});

	it('leaves passwords and the public address to .env, and names each there', () => {
		const asked = Object.values(settings).flatMap((value) => /\$\{(\w+)/.exec(value)?.[1] ?? []);
		expect(asked.sort()).toEqual(['N8N_ENCRYPTION_KEY', 'POSTGRES_PASSWORD', 'WEBHOOK_URL']);
		const [comment] = compose.split('\nx-n8n:');
		expect(asked.filter((one) => !comment.includes(one))).toEqual([]);
	});

	it('installs the tarball of a clone, as CONTRIBUTING does', () => {
		expect(compose).toContain(`source: ./${tarball}\n`);
		const [, target] = /source: \S+\n +target: (\S+)/.exec(compose)!;
		expect(compose).toContain(`npm install --legacy-peer-deps --ignore-scripts ${target} &&`);
		expect(read('CONTRIBUTING.md')).toContain(`"$PWD/${tarball}"`);
	});

	it('has the n8n that is tested', () => {
		const { dependencies } = readJson<{ dependencies: { n8n: string } }>(
			'sandbox/n8n/package.json',
		);
		const images = [...compose.matchAll(/n8nio\/n8n:(\S+)/g)].map(([, image]) => image);
		expect(images).toEqual([dependencies.n8n, dependencies.n8n]);
	});
});

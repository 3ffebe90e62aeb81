import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { fastify } from 'fastify';

/** The host that an installed n8n asks for packages unless it is told otherwise. */
function registryHostOf(installed) {
	const require = createRequire(path.join(installed, 'node_modules', 'n8n', 'package.json'));
	const config = require('./dist/modules/community-packages/community-packages.config.js');
	return new URL(new config.CommunityPackagesConfig().registry).host;
}

/** A certificate of a host for a day, and its key. */
async function makeCertificate(host) {
	const folder = await mkdtemp(path.join(tmpdir(), 'certificate-'));
	const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name));
	const files = ['-keyout', key, '-out', cert, '-newkey', 'rsa:2048', '-nodes'];
	const about = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-days', '1'];
	await execa('openssl', ['req', '-x509', ...files, ...about]);
	const made = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
	await rm(folder, { recursive: true });
	return made;
}

const hash = (algorithm, bytes, encoding) => createHash(algorithm).update(bytes).digest(encoding);

/** What npm's registry knows of a version: its package.json and where the tarball is. */
function toRelease(host, manifest, bytes) {
	const { name, version } = manifest;
	const dist = {
		tarball: `https://${host}/${name}/-/${name}-${version}.tgz`,
		integrity: `sha512-${hash('sha512', bytes, 'base64')}`,
		shasum: hash('sha1', bytes, 'hex'),
	};
	return { version, bytes, manifest: { ...manifest, dist } };
}

/**
 * A stand-in for npm's registry, over https on loopback. It has the packages that were given to
 * `publish(manifest, tarball)`, the last version of each as `latest`; `asked` are the paths that it
 * was asked for, `certificate` is what a client has to trust. n8n asks another registry than its own
 * only with a licence, so the stand-in has the name of that: `host`.
 */
export async function startNpmRegistry(installed) {
	const host = registryHostOf(installed);
	const { key, cert } = await makeCertificate(host);
	const app = fastify({ https: { key, cert }, forceCloseConnections: true });
	const packages = new Map();
	const asked = [];
	app.addHook('onRequest', async ({ url }) => asked.push(decodeURIComponent(url)));

	const releases = ({ name }) => packages.get(name) ?? [];
	const find = ({ name, version }) =>
		releases({ name }).findLast((one) => version === 'latest' || one.version === version);
	const answer = (reply, found) => found ?? reply.code(404).send({ error: 'Not found' });

	app.get('/:name', async ({ params: { name } }, reply) => {
		const all = releases({ name });
		const versions = Object.fromEntries(all.map((one) => [one.version, one.manifest]));
		const tags = { latest: all.at(-1)?.version };
		return answer(reply, all.length > 0 ? { name, 'dist-tags': tags, versions } : undefined);
	});
	app.get('/:name/:version', async ({ params }, reply) => answer(reply, find(params)?.manifest));
	app.get('/:name/-/:file', async ({ params: { name, file } }, reply) => {
		const found = releases({ name }).find(({ version }) => file === `${name}-${version}.tgz`);
		return answer(reply, found?.bytes);
	});

	await app.listen({ port: 0, host: '127.0.0.1' });
	return {
		host,
		port: app.server.address().port,
		certificate: cert,
		asked,
		publish: async (manifest, tarball) => {
			const release = toRelease(host, manifest, await readFile(path.resolve(tarball)));
			packages.set(manifest.name, [...releases(manifest), release]);
		},
		close: async () => await app.close(),
	};
}

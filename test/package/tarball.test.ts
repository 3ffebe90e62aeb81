import { list, pack, read } from './support/files';

const MAX_PACKED_BYTES = 220_000;
/** npm adds these to what `files` in package.json names. */
const BESIDE_DIST = ['LICENSE', 'README.md', 'index.js', 'package.json'];

const tarball = pack();
const dist = list('dist');
const code = dist.filter((file) => file.endsWith('.js'));

/** The file of the repository that a file of dist/ is made from. */
const toSource = (file: string) => file.replace(/^dist\//, '').replace(/\.js$/, '.ts');

describe('the tarball', () => {
	it('holds dist, package.json, README, LICENSE, index.js and nothing else', () => {
		const beside = tarball.files.filter((file) => !file.startsWith('dist/'));
		expect(beside).toEqual(BESIDE_DIST);
		expect(tarball.files.filter((file) => file.startsWith('dist/'))).toEqual(dist);
	});

	it('is small', () => {
		expect(tarball.size).toBeLessThan(MAX_PACKED_BYTES);
	});

	it('is the whole build and nothing of an older one', () => {
		const sources = [...list('nodes'), ...list('credentials'), ...list('icons')];
		const wanted = sources.filter((file) => /\.(ts|svg|json)$/.test(file));
		expect(dist.map(toSource).sort()).toEqual(wanted.sort());
	});
});

/** Marks of work that is not done, of this machine, and of what was left in by mistake. */
const LEFTOVERS: Record<string, RegExp> = {
	'a path of this machine': /\/(home|Users|root)\/\w/,
	'a note to oneself': /\b(TODO|FIXME|XXX|HACK)\b/,
	// As part of an address: that such names mean another machine is something the nodes know.
	'the sandbox': /sandbox|\/\/(localhost|127\.0\.0\.1)/i,
	'a key': /\b(sk-|AIza|ghp_|npm_)[\w-]{16,}|-----BEGIN|\beyJ[\w-]{10,}\.|Bearer [\w.-]{12,}/,
};

/** Hosts that the code may name: this project's pages, a placeholder's, and names that belong to nobody. */
const HOSTS = /^(github\.com|www\.youtube\.com|([\w-]+\.)?example\.com)$/;
describe('the built code', () => {
	it.each(Object.keys(LEFTOVERS))('holds no trace of %s', (what) => {
		const found = dist.filter((file) => LEFTOVERS[what].test(read(file)));
		expect(found).toEqual([]);
	});

	it('names no hosts but examples, its own page, and services that a credential can name', () => {
		const hostsOf = (file: string) =>
			[...read(file).matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host);
		const own = code.filter((file) => file.includes('/shared/services/'));
		const foreign = (files: string[]) => files.flatMap(hostsOf).filter((host) => !HOSTS.test(host));
		expect(foreign(code.filter((file) => !own.includes(file)))).toEqual([]);
		const named = [...new Set(foreign(own))];
		expect(named).toContain('api.replicate.com');
		expect(named.filter((host) => !read('SECURITY.md').includes(host))).toEqual([]);
	});
});

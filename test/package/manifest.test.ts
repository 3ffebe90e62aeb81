import { exists, list, read, readJson } from './support/files';

interface Manifest {
	[field: string]: unknown;
	version: string;
	scripts: Record<string, string>;
	n8n: {
		n8nNodesApiVersion: number;
		strict: boolean;
		nodes: string[];
		credentials: string[];
	};
}

const manifest = readJson<Manifest>('package.json');

/** npm runs these on the machine of whoever installs or packs the package. */
const INSTALL_SCRIPT = /^(pre|post)?(install|prepare|pack)$|^(prepublish|dependencies)$/;

describe('package.json', () => {
	it('has no runtime dependencies', () => {
		const { dependencies, optionalDependencies, bundledDependencies, bundleDependencies } =
			manifest;
		expect(dependencies ?? {}).toEqual({});
		expect([optionalDependencies, bundledDependencies, bundleDependencies]).toEqual(
			Array(3).fill(undefined),
		);
	});

	it("names n8n's rules for nodes, and the copy that it names is the one that lints", () => {
		const name = 'eslint-plugin-n8n-nodes-base';
		expect(manifest.devDependencies).toHaveProperty([name]);
		const { packages } = readJson<{ packages: object }>('package-lock.json');
		const copies = Object.keys(packages).filter((one) => one.endsWith(`node_modules/${name}`));
		expect(copies).toEqual([`node_modules/${name}`]);
	});

	it('asks nothing of an n8n but its own package, so that every version is offered this one', () => {
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		expect(manifest.n8n).not.toHaveProperty('aiNodeSdkVersion');
	});

	it('changes nothing in the n8n it is installed in', () => {
		for (const field of ['overrides', 'resolutions', 'bin', 'workspaces', 'patchedDependencies']) {
			expect(manifest).not.toHaveProperty(field);
		}
		const scripts = Object.keys(manifest.scripts);
		expect(scripts.filter((name) => INSTALL_SCRIPT.test(name))).toEqual([]);
	});

	it('registers every node and credential there is, by its built file', () => {
		const built = (folder: string, ending: string) =>
			list(folder)
				.filter((file) => file.endsWith(ending))
				.map((file) => `dist/${file.replace(/\.ts$/, '.js')}`);
		expect(manifest.n8n.nodes).toEqual(built('nodes', '.node.ts'));
		expect(manifest.n8n.credentials).toEqual(built('credentials', '.credentials.ts'));
		expect(
			[...manifest.n8n.nodes, ...manifest.n8n.credentials].filter((file) => !exists(file)),
		).toEqual([]);
		expect(manifest.n8n).toMatchObject({ n8nNodesApiVersion: 1, strict: true });
	});

	it('has a version that the changelog knows', () => {
		expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
		expect(read('CHANGELOG.md')).toContain(`## [${manifest.version}]`);
		expect(readJson('package-lock.json').version).toBe(manifest.version);
	});
});

describe('.github/workflows', () => {
	const used = list('.github/workflows').flatMap((file) =>
		[...read(file).matchAll(/uses: (.+)$/gm)].map(([, action]) => ({ file, action })),
	);

	it('pins each action of others by its commit, with the version in words', () => {
		const isPinned = ({ action }: { action: string }) =>
			action.startsWith('./') || /^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(action);
		expect(used.filter((one) => !isPinned(one))).toEqual([]);
	});

	it('lets the job that publishes run in an environment, which a person approves', () => {
		const [, job] = read('.github/workflows/publish.yml').split('\n  publish:\n');
		expect(job).toMatch(/^ {4}environment: npm$/m);
	});
});

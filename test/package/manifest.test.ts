import { exists, list, read, readJson } from './support/files';

interface Manifest {
	[field: string]: unknown;
	name: string;
	version: string;
	scripts: Record<string, string>;
	repository: { url: string };
	n8n: {
		n8nNodesApiVersion: number;
		aiNodeSdkVersion: number;
		strict: boolean;
		nodes: string[];
		credentials: string[];
	};
}

const manifest = readJson<Manifest>('package.json');

/** npm runs these on the machine of whoever installs or packs the package. */
const INSTALL_SCRIPTS = [
	...['preinstall', 'install', 'postinstall', 'prepublish', 'prepare', 'preprepare'],
	...['postprepare', 'prepack', 'postpack', 'dependencies'],
];

describe('package.json', () => {
	it('has no runtime dependencies', () => {
		const { dependencies, optionalDependencies, bundledDependencies, bundleDependencies } =
			manifest;
		expect(dependencies ?? {}).toEqual({});
		expect([optionalDependencies, bundledDependencies, bundleDependencies]).toEqual(
			Array(3).fill(undefined),
		);
	});

	it("declares n8n's SDK for models, which an older n8n may lack", () => {
		expect(manifest.peerDependencies).toEqual({ '@n8n/ai-node-sdk': '*', 'n8n-workflow': '*' });
		expect(manifest.peerDependenciesMeta).toEqual({ '@n8n/ai-node-sdk': { optional: true } });
		expect(manifest.n8n.aiNodeSdkVersion).toBe(1);
	});

	it('changes nothing in the n8n it is installed in', () => {
		for (const field of ['overrides', 'resolutions', 'bin', 'workspaces', 'patchedDependencies']) {
			expect(manifest).not.toHaveProperty(field);
		}
		expect(Object.keys(manifest.scripts).filter((name) => INSTALL_SCRIPTS.includes(name))).toEqual(
			[],
		);
	});

	it('is found as a community node', () => {
		expect(manifest.name).toMatch(/^n8n-nodes-/);
		expect(manifest.keywords).toContain('n8n-community-node-package');
		expect(manifest.license).toBe('MIT');
		expect(read('LICENSE')).toMatch(/^MIT License\n/);
	});

	it('publishes dist and an entry point that does nothing', () => {
		expect(manifest.files).toEqual(['dist']);
		expect(manifest.main).toBe('index.js');
		expect(read('index.js').trim()).toBe('');
		expect(manifest.private).toBeUndefined();
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

	it('names one repository', () => {
		const { url } = manifest.repository;
		const [, page] =
			/^git\+(https:\/\/github\.com\/[\w.-]+\/n8n-nodes-video-generation)\.git$/.exec(url)!;
		expect(manifest.homepage).toBe(`${page}#readme`);
		expect(manifest.bugs).toEqual({ url: `${page}/issues` });
	});

	it('has a version that the changelog knows', () => {
		expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
		expect(read('CHANGELOG.md')).toContain(`## [${manifest.version}]`);
		expect(readJson('package-lock.json').version).toBe(manifest.version);
	});

	it('has scripts whose files exist', () => {
		const files = Object.values(manifest.scripts).flatMap((script) =>
			[...script.matchAll(/(?:^|&& )node (\S+)/g)].map(([, file]) => file),
		);
		expect(files.filter((file) => !exists(file))).toEqual([]);
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
});

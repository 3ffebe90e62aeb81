import type { IDataObject } from 'n8n-workflow';

import {
	createSandbox,
	type Plan,
	type RequestRecord,
	type Sandbox,
} from '../../../sandbox/service';
import { createEngine, type Engine } from '../../support/engine';
import { print } from '../../support/print';
import { KEY, planned, toInput, videoDownload, videoGenerate } from '../../support/stage';
import { resultUrls, urls } from './rows/keyAddresses';
import { chains, redirects } from './rows/keyRedirects';
import type { WayRow } from './rows/way';
import { trust } from './support/trust';

// The key goes to the origin of the base URL and to no other: what each host really received.

let engine: Engine;
let sandboxes: Record<'http' | 'service' | 'storage', Sandbox>;

beforeAll(async () => {
	engine = await createEngine();
	const [http, service, storage] = await Promise.all([
		createSandbox(),
		createSandbox({ https: true }),
		createSandbox({ foreignHttps: true }),
	]);
	sandboxes = { http, service, storage };
});
afterAll(async () => {
	engine.close();
	await Promise.all(Object.values(sandboxes).map(async (sandbox) => await sandbox.close()));
});

/** The storage host goes by another name than the service, and is on this machine, too. */
const INSIDE = { allowPrivateAddresses: true };

const WAYS = { redirects, chains, urls, resultUrls };

describe.each(Object.entries(WAYS))('%s', (_kind, rows) => {
	rows.filter(isForBoth).forEach((row) =>
		it(`${row.way}, for Video Generate`, async () => {
			await go(row, async (sandbox) => {
				const node = videoGenerate(
					{ downloadVideo: true, options: INSIDE },
					{ onError: 'continueErrorOutput' },
				);
				return await run(sandbox, node, { prompt: planned('A boat', planOf(row, sandbox)) });
			});
		}),
	);

	it.each(rows)('$way, for Video Download', async (row) => {
		await go(row, async (sandbox) => {
			const plan = planOf(row, sandbox);
			await run(sandbox, videoGenerate(), { prompt: planned('A boat', plan) });
			const [{ task_id }] = sandbox.tasks();
			const source = row.url && { source: 'url', resultUrl: row.url(sandbox, task_id) };
			const parameters = { ...source, options: { ...INSIDE, retries: 0 } };
			const node = videoDownload(parameters, { onError: 'continueErrorOutput' });
			return await run(sandbox, node, { task_id });
		});
	});
});

it('says how much was watched', () => {
	const rows = Object.values(WAYS).flat();
	print(`Key table: ${rows.length} ways, ${rows.filter(isForBoth).length} of them twice`);
	expect(rows.length).toBeGreaterThan(40);
});

function isForBoth({ url, once }: WayRow) {
	return url === undefined && once === undefined;
}

async function go(row: WayRow, download: (sandbox: Sandbox) => ReturnType<typeof run>) {
	const sandbox = sandboxes[row.https ?? 'http'];
	sandbox.reset();
	const distrust = sandbox.certificate ? trust(sandbox.certificate) : () => undefined;
	try {
		const result = await download(sandbox);
		const records = sandbox.requests.filter(({ path }) => /\/content$|^\/files\/|^\/@/.test(path));
		expect(records.map(inWords)).toEqual(row.goes);
		records.filter(({ origin }) => origin === 'foreign').forEach(expectNoKey);
		const items = result.outputs();
		if (row.fails) {
			const { message } = items.at(-1)![0].json.error as IDataObject;
			expect(message).toMatch(row.fails);
		} else expect(items[0][0].binary?.data.mimeType).toBe('video/mp4');
		// Beside `error` stands the incoming item, with its prompt.
		const shown = items.flat().map((item) => item.json.error ?? item);
		expect(JSON.stringify([shown, result.logs])).not.toContain(KEY);
	} finally {
		distrust();
	}
}

const run = async (sandbox: Sandbox, node: ReturnType<typeof videoDownload>, json: IDataObject) =>
	await engine.run({
		node,
		items: toInput(json),
		credentials: { videoGenerationApi: { baseUrl: sandbox.url, apiKey: KEY } },
		binaryMode: 'filesystem',
	});

const planOf = ({ content, resultUrl }: WayRow, sandbox: Sandbox): Plan => ({
	renderMs: 0,
	...(content && { content: [content(sandbox)] }),
	...(resultUrl && { resultUrl: resultUrl(sandbox) }),
});

function inWords({ origin, headers, status }: RequestRecord): string {
	const withKey = headers.authorization === `Bearer ${KEY}` ? 'with' : 'without';
	return `${origin === 'foreign' ? 'storage' : 'service'} ${withKey} key: ${status}`;
}

/** Neither as it is, nor in an address, nor inside Basic. */
function expectNoKey({ headers, url }: RequestRecord): void {
	const received = JSON.stringify([headers, url]);
	expect(received).not.toContain(KEY);
	expect(String(headers.authorization ?? '')).not.toContain('Bearer');
	const [, basic = ''] = String(headers.authorization ?? '').split(' ');
	expect(Buffer.from(basic, 'base64').toString()).not.toContain(KEY);
}

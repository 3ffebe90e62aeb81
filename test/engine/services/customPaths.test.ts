import { byId, CONTINUE, toInput, useStage, videoGenerate } from '../../support/stage';
import { serve } from './support/serve';

// Custom Paths: the place of the model, and the header of the key.

const stage = useStage();
const KEY = 'key-12345678';

/** Renders at a service, and tells what it was asked. */
async function render(more: object) {
	const server = await serve(({ method, path }) => {
		if (method === 'POST') return [200, { id: 'task_1', status: 'queued' }];
		return path.endsWith('task_1')
			? [200, { status: 'completed', url: 'https://a.example/v' }]
			: [404, {}];
	});
	const result = await stage.engine.run({
		node: videoGenerate({ model: byId('vendor/some model') }, CONTINUE),
		items: toInput({ prompt: 'A boat' }),
		credentials: {
			videoGenerationApi: { api: 'customPaths', baseUrl: server.url, apiKey: KEY, ...more },
		},
	});
	await server.close();
	return { asks: server.asks, items: result.outputs().flat() };
}

it('Submit Path has the model where it says {model}, and the body has none', async () => {
	const submitPath = '/v1/{model}/videos';
	const { asks, items } = await render({ submitPath, taskPath: '/v1/tasks/{id}' });
	expect(items).toMatchObject([{ json: { status: 'SUCCESS', model: 'vendor/some model' } }]);
	const posts = asks.filter(({ method }) => method === 'POST');
	expect(posts.map(({ path }) => path)).toEqual(['/v1/vendor/some%20model/videos']);
	expect(posts[0].fields).toMatchObject({ prompt: 'A boat' });
	expect(posts[0].fields).not.toHaveProperty('model');
});

it.each(['X-API-Key', 'X-RapidAPI-Key', ''])('the key goes in "%s" alone', async (headerName) => {
	const { asks, items } = await render({ headerName });
	expect(items).toMatchObject([{ json: { status: 'SUCCESS' } }]);
	expect(asks.length).toBeGreaterThan(1);
	for (const { headers, ...rest } of asks) {
		const name = headerName.toLowerCase() || 'authorization';
		const { [name]: value, ...others } = headers;
		expect(value).toBe(headerName ? KEY : `Bearer ${KEY}`);
		expect(JSON.stringify([rest, others])).not.toContain(KEY);
	}
	expect(JSON.stringify(items)).not.toContain(KEY);
});

it.each([
	['Authorization', `Key ${KEY}`, `Key ${KEY}`],
	['authorization', ` Bearer ${KEY} `, `Bearer ${KEY}`],
	['Authorization', `Token ${KEY}`, `Token ${KEY}`],
	['Authorization', KEY, KEY],
	['X-API-Key', `Bearer ${KEY}`, KEY],
])(
	'%s has the key as it was typed, if it may have a scheme: %s',
	async (headerName, typed, sent) => {
		const { asks, items } = await render({ headerName, apiKey: typed });
		expect(items).toMatchObject([{ json: { status: 'SUCCESS' } }]);
		expect(asks.length).toBeGreaterThan(1);
		for (const { headers } of asks) expect(headers[headerName.toLowerCase()]).toBe(sent);
		expect(JSON.stringify(items)).not.toContain(KEY);
	},
);

it('a key that the service quotes without its scheme is not shown', async () => {
	const server = await serve(() => [401, { error: { message: `Unknown token <${KEY}>` } }]);
	const result = await stage.engine.run({
		node: videoGenerate({ model: byId('vendor/some model') }, CONTINUE),
		items: toInput({ prompt: 'A boat' }),
		credentials: {
			videoGenerationApi: {
				...{ api: 'customPaths', baseUrl: server.url, headerName: 'Authorization' },
				apiKey: `Token ${KEY}`,
			},
		},
	});
	await server.close();
	expect(JSON.stringify(result.outputs())).toMatch(/Unknown token <\[API key\]>/);
});

it('a name that no header can have is told, and nothing is sent', async () => {
	const { asks, items } = await render({ headerName: 'X API Key' });
	expect(asks).toEqual([]);
	expect(JSON.stringify(items)).toMatch(
		/Header Name contains a character that a header cannot have/,
	);
});

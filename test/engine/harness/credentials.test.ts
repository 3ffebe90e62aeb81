import { fixture, isVersion1, json, useFixtureStage } from './support/stage';

const stage = useFixtureStage();

describe('credentials', () => {
	it('fails without one', async () => {
		const result = await stage.engine.run({ node: fixture('Request') });
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain('does not have any credentials set');
	});

	it('renews an expired token once and signs with a function', async () => {
		const data = { fixtureTokenApi: { baseUrl: stage.service.url, token: 'old' } };
		const result = await stage.engine.run({ node: fixture('Token'), credentials: data });
		expect(json(result.outputs()[0])).toEqual([{ token: 'new' }]);
	});

	// n8n 1.120 loses an error's cause: it shows the error's own text and follows no status rule.
	const words = isVersion1
		? {
				bad: 'Authorization failed - please check your credentials',
				forbidden: 'Forbidden - perhaps check your credentials?',
				offline: 'The service refused the connection - perhaps it is offline',
			}
		: { bad: 'Unauthorized', forbidden: 'The key may not do this', offline: 'ECONNREFUSED' };

	it.each([
		['accepts a good key', 'key', '', { status: 'OK', message: 'Connection successful!' }],
		['refuses a bad key', 'bad', '', { status: 'Error', message: words.bad }],
		['follows a status rule', 'forbidden', '', { status: 'Error', message: words.forbidden }],
		['follows a body rule', 'key', '/closed', { message: 'The account is closed' }],
	])('tests a credential: %s', async (_name, apiKey, path, verdict) => {
		const data = { baseUrl: stage.service.url + path, apiKey };
		expect(await stage.engine.testCredential('fixtureApi', data)).toMatchObject(verdict);
	});

	it('tests a credential whose service cannot be reached', async () => {
		const verdict = await stage.engine.testCredential('fixtureApi', { apiKey: 'key' });
		expect(verdict).toEqual({ status: 'Error', message: words.offline });
	});

	it('fills lists as the editor does', async () => {
		const node = fixture('Request', { parameters: { path: '/me' } });
		const found = await stage.engine.listSearch(node, 'searchPaths', {
			credentials: stage.credentials,
			filter: 'ba',
		});
		expect(found).toEqual({ results: [{ name: '/bad', value: '/bad' }] });
		expect(await stage.engine.loadOptions(node, 'getPaths')).toEqual([
			{ name: 'Chosen', value: '/me' },
		]);
	});
});

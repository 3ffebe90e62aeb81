import type { Plan } from '../../../../sandbox/service';
import { onlyItem } from '../support/stage';
import { useStreamStage } from '../support/streamStage';

const { ask, listen } = useStreamStage();

const SAYS = 'Grüße. Es ist 😀. Ende.';
const WITH_ALL: Plan = {
	says: SAYS,
	sources: ['search', 'maps', 'url', 'failedUrl', 'citation'],
};
const at = (text: string) => ({ text });
const SITE = 'https://sources.example';

describe('the sources of an answer', () => {
	it('have title, address, and the words that they support', async () => {
		const { json } = onlyItem(await ask(WITH_ALL));
		expect(json.sources).toEqual([
			{ kind: 'web', title: 'Found 0', uri: `${SITE}/search/0`, supports: [at('Grüße.')] },
			{ kind: 'maps', title: 'Place 1', uri: `${SITE}/maps/1`, supports: [at('Es ist 😀.')] },
			{ kind: 'urlContext', uri: `${SITE}/page/2`, status: 'URL_RETRIEVAL_STATUS_SUCCESS' },
			{ kind: 'urlContext', uri: `${SITE}/page/3`, status: 'URL_RETRIEVAL_STATUS_ERROR' },
			{ kind: 'citation', uri: `${SITE}/cited/4`, license: 'mit', supports: [at('Es ist 😀.')] },
		]);
		expect(json.webSearchQueries).toEqual(['query 0']);
	});

	it.each(['last', 'spread', 'growing'] as const)(
		'all survive a stream (%s)',
		async (sourcesIn) => {
			const { sources, webSearchQueries } = onlyItem(await ask(WITH_ALL)).json;
			for (const chunks of [1, 3, 9]) {
				const { json } = onlyItem(await listen({ ...WITH_ALL, sourcesIn, chunks }));
				expect(json).toMatchObject({ sources, webSearchQueries });
			}
		},
	);

	it('are none where the service names none', async () => {
		expect(onlyItem(await ask({})).json).not.toHaveProperty('sources');
	});

	it('are named to an agent', async () => {
		const node = { rewireOutputLogTo: 'ai_tool' };
		const result = await ask({ ...WITH_ALL, sources: ['search', 'failedUrl'] }, { node });
		expect(result.runs()[0].data?.ai_tool[0]?.[0].json.sources).toEqual([
			{ title: 'Found 0', uri: `${SITE}/search/0` },
			{ uri: `${SITE}/page/1`, status: 'URL_RETRIEVAL_STATUS_ERROR' },
		]);
	});
});

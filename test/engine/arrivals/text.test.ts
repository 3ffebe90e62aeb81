import type { IDataObject } from 'n8n-workflow';

import { PNG, TEXT_ARRIVALS, toTextParameters } from '../../../sandbox/arrivals';
import { PACKAGE, useStage } from '../../support/stage';
import type { EngineNode } from '../../support/engine';

// What Generate Content sends was once sent through a real gateway, too.

const stage = useStage();
const binary = { data: { data: PNG, mimeType: 'image/png', fileName: 'picture.png' } };

it.each(TEXT_ARRIVALS)('$about: sends what was recorded', async ({ set, sent, refused }) => {
	const { outputs } = await stage.run(
		{
			type: `${PACKAGE}.generateContent`,
			parameters: toTextParameters(set) as IDataObject,
			onError: 'continueRegularOutput',
		} as EngineNode,
		[{ json: { prompt: 'text' }, binary }],
	);
	const [request] = stage.sandbox.requests.filter(({ method }) => method === 'POST');
	if (request) {
		const body = JSON.parse(JSON.stringify(request.body).replaceAll(PNG, '{png}')) as unknown;
		expect(body).toEqual(sent);
	} else {
		const { message } = outputs()[0][0].json.error as IDataObject;
		expect(message).toBe(`${refused} [item 0]`);
	}
});

import type { IDataObject } from 'n8n-workflow';

import { PNG, TEXT_ARRIVALS, toTextParameters } from '../../../sandbox/arrivals';
import { PACKAGE, useStage } from '../../support/stage';
import type { EngineNode } from '../../support/engine';

// What Generate Content sends was once sent through a real gateway, too.

const stage = useStage();
const binary = { data: { data: PNG, mimeType: 'image/png', fileName: 'picture.png' } };

it.each(TEXT_ARRIVALS)('$about: sends what was recorded', async ({ set, sent }) => {
	const parameters = toTextParameters(set) as IDataObject;
	const node = { type: `${PACKAGE}.generateContent`, parameters } as EngineNode;
	await stage.run(node, [{ json: { prompt: 'text' }, binary }]);
	const [{ body }] = stage.sandbox.requests.filter(({ method }) => method === 'POST');
	expect(JSON.parse(JSON.stringify(body).replaceAll(PNG, '{png}'))).toEqual(sent);
});

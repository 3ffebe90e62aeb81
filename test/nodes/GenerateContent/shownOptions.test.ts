import * as workflow from 'n8n-workflow';
import { type INodeParameters, NodeHelpers } from 'n8n-workflow';

import { generateContentFields } from '../../../nodes/GenerateContent/fields';
import { setPatientPatterns } from '../../support/engine/patientPatterns';

setPatientPatterns(workflow);

/** Returns the options that n8n hands to the node: what the editor hides is left out. */
function optionsOf(model: string, options: INodeParameters) {
	const parameters = { model: { __rl: true, mode: 'id', value: model }, options };
	const fields = generateContentFields;
	return NodeHelpers.getNodeParameters(fields, parameters, true, false, null, null)?.options;
}

it.each([
	['gemini-2.5-flash', ['budget']],
	['models/gemini-3.1-pro-preview', ['level']],
	['my-model', ['budget', 'level']],
	['={{ $json.model }}', ['budget', 'level']],
])('%s thinks by %j', (model, names) => {
	const { thinking } = optionsOf(model, { thinking: { budget: 9, level: 'low' } }) as {
		thinking: object;
	};
	expect(Object.keys(thinking).sort()).toEqual(names);
});

import { byId } from '../../../support/stage';
import { itCostsNothing, NO_MORE, type BadInput } from '../support/badInput';
import { useTextStage } from '../support/stage';

const textStage = useTextStage();

describe('bad input costs nothing and says what to do', () => {
	const rows: BadInput[] = [
		[
			'no prompt',
			{ parameters: { prompt: ' ' } },
			/^Prompt is empty \[item 0\]$/,
			/Fill in Prompt/,
		],
		[
			'a prompt from a field that is not there',
			{ parameters: { prompt: '={{ $json.missing }}' } },
			/^Prompt is empty/,
			/check that the incoming item has the field/,
		],
		[
			'no prompt behind a turn of the model',
			{ parameters: { conversation: { turns: [{ role: 'model', text: 'Hi' }] } } },
			/^Prompt is empty and the conversation ends with a model turn/,
			/^Fill in Prompt\./,
		],
		[
			'an object as prompt',
			{ parameters: { prompt: '={{ $json }}' } },
			/^Prompt must be text/,
			/JSON\.stringify/,
		],
		[
			'no model',
			{ parameters: { prompt: 'Hi', model: byId('={{ $json.missing }}') } },
			/^Model is empty/,
			/Fill in Model/,
		],
		[
			'no model but its prefix',
			{ parameters: { prompt: 'Hi', model: byId('models/') } },
			/^Model is empty/,
			NO_MORE,
		],
		[
			'a wrong role',
			{
				parameters: { prompt: 'Hi', conversation: { turns: [{ role: 'assistant', text: 'Hi' }] } },
			},
			/^Conversation, turn 1 has the unknown role "assistant"/,
			/The role must be user or model/,
		],
		[
			'an empty turn',
			{
				parameters: {
					prompt: 'Hi',
					conversation: {
						turns: [
							{ role: 'user', text: 'Hi' },
							{ role: 'model', text: ' ' },
						],
					},
				},
			},
			/^Conversation, turn 2 has no text/,
			/^Fill in its text, or remove the turn\.$/,
		],
		[
			'a conversation that is no list',
			{ parameters: { prompt: 'Hi', options: { conversationJson: '{"text":"Hello"}' } } },
			/^Conversation \(JSON\) must be a JSON array of turns/,
			/^Write it as \[\{ "role": "user", "text": "\.\.\." \}/,
		],
		[
			'null as a turn',
			{ parameters: { prompt: 'Hi', options: { conversationJson: '[null]' } } },
			/^Conversation \(JSON\), turn 1 has the unknown role ""/,
			/The role must be user or model/,
		],
	];

	itCostsNothing(textStage, rows);
});

/** A text alone: what the demo runs to show that Generate Content works. */
export const TEXT = {
	name: 'Text Alone',
	nodes: [
		{
			name: "When clicking 'Execute workflow'",
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			name: 'Generate Content',
			type: 'n8n-nodes-video-generation.generateContent',
			typeVersion: 1,
			position: [208, 0],
			parameters: {
				model: { __rl: true, mode: 'id', value: 'gemini-2.5-flash' },
				prompt: 'Describe a five-second video of a paper boat in the rain, in two sentences.',
			},
		},
	],
	connections: {
		"When clicking 'Execute workflow'": {
			main: [[{ node: 'Generate Content', type: 'main', index: 0 }]],
		},
	},
	settings: { executionOrder: 'v1' },
};

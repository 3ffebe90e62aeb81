import type { INodeProperties } from 'n8n-workflow';

export const safetySettingsField: INodeProperties = {
	displayName: 'Safety Settings',
	name: 'safetySettings',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Setting',
	default: {},
	description: 'What the safety filter blocks. Not every account is allowed to relax it.',
	options: [
		{
			displayName: 'Setting',
			name: 'settings',
			values: [
				{
					displayName: 'Category',
					name: 'category',
					type: 'options',
					options: [
						{ name: 'Civic Integrity', value: 'HARM_CATEGORY_CIVIC_INTEGRITY' },
						{ name: 'Dangerous Content', value: 'HARM_CATEGORY_DANGEROUS_CONTENT' },
						{ name: 'Harassment', value: 'HARM_CATEGORY_HARASSMENT' },
						{ name: 'Hate Speech', value: 'HARM_CATEGORY_HATE_SPEECH' },
						{ name: 'Sexually Explicit', value: 'HARM_CATEGORY_SEXUALLY_EXPLICIT' },
					],
					default: 'HARM_CATEGORY_HARASSMENT',
				},
				{
					displayName: 'Threshold',
					name: 'threshold',
					type: 'options',
					options: [
						{ name: 'Block Few: High Risk Only', value: 'BLOCK_ONLY_HIGH' },
						{ name: 'Block Most: Low Risk and Above', value: 'BLOCK_LOW_AND_ABOVE' },
						{ name: 'Block None', value: 'BLOCK_NONE' },
						{ name: 'Block Some: Medium Risk and Above', value: 'BLOCK_MEDIUM_AND_ABOVE' },
						{ name: 'Filter Off', value: 'OFF' },
					],
					default: 'BLOCK_MEDIUM_AND_ABOVE',
				},
			],
		},
	],
};

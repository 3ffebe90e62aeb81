import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { searchTextModels } from '../shared/fields/searchModels';
import { generateContentFields } from './fields';
import { generateTexts } from './generateTexts';

export class GenerateContent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Generate Content',
		name: 'generateContent',
		icon: { light: 'file:../../icons/text.svg', dark: 'file:../../icons/text.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["model"].value || $parameter["model"] }}',
		description: 'Generate text, JSON or images from a prompt, a conversation and files',
		defaults: { name: 'Generate Content' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'nativeTextApi', required: true }],
		properties: generateContentFields,
	};

	methods = { listSearch: { searchTextModels } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await generateTexts(this)];
	}
}

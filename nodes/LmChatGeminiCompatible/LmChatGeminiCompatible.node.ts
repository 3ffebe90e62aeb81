import type { ChatModel } from '@n8n/ai-node-sdk';
import type {
	ILoadOptionsFunctions,
	INodeType,
	INodeTypeDescription,
	ISupplyDataFunctions,
	SupplyData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { chatModelFields } from './fields';

// n8n loads this file at startup, so the working code is imported when the node first runs. That
// code loads n8n's SDK: if this file did, an n8n without the SDK would load no node of the package.
// Of the type, nothing is left in the built file.
export class LmChatGeminiCompatible implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Gemini-Compatible Chat Model',
		name: 'lmChatGeminiCompatible',
		icon: { light: 'file:../../icons/text.svg', dark: 'file:../../icons/text.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["model"].value ?? $parameter["model"] }}',
		description: 'Use Gemini models from any Gemini-compatible service with an AI Agent or chain',
		defaults: { name: 'Gemini-Compatible Chat Model' },
		inputs: [],
		outputs: [NodeConnectionTypes.AiLanguageModel],
		outputNames: ['Model'],
		credentials: [{ name: 'geminiCompatibleApi', required: true }],
		properties: chatModelFields,
	};

	methods = {
		listSearch: {
			async searchTextModels(this: ILoadOptionsFunctions, filter?: string) {
				const search = await import('../shared/fields/searchModels');
				return await search.searchModels(this, 'text', filter);
			},
		},
	};

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		const [{ loadSdk }, { openModel }] = [await import('./sdk'), await import('./textModel')];
		const sdk = await loadSdk(this);
		const model: ChatModel = await openModel(this, itemIndex, sdk);
		return sdk.supplyModel(this, model);
	}
}

import type { ModelKind } from '../shared/fields/searchModels';
import { isVideoModel } from '../shared/models/isVideoModel';

export const TEXT_MODELS: ModelKind = {
	credential: 'geminiCompatibleApi',
	path: '/v1beta/models',
	isOfKind: (id) => /^(?!.*(embedding|veo|live|video)).*gemini/i.test(id),
	// A video model writes no text, and costs more. Any other name may be that of a text model.
	isOther: isVideoModel,
	documented: [
		'gemini-2.5-flash',
		'gemini-2.5-pro',
		'gemini-3-flash-preview',
		'gemini-3-pro-preview',
		'gemini-3.1-pro-preview',
	],
};

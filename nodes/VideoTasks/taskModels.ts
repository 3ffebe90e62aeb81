import type { ModelKind } from '../shared/fields/searchModels';
import { isVideoModel } from '../shared/models/isVideoModel';

export const TASK_MODELS: ModelKind = {
	credential: 'videoGenerationApi',
	isOfKind: isVideoModel,
	documented: [],
};

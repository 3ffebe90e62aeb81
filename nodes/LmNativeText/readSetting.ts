import type { Reader } from '../shared/item/reader';
import {
	readModel,
	readNumbers,
	readThinking,
	refuseTwoWaysToThink,
} from '../shared/text/settings';
import type { ModelSetting } from './modelSetting';

/** What a person set; nothing that was not set is sent. */
export function readSetting(
	read: Reader,
): Pick<ModelSetting, 'model' | 'generationConfig' | 'timeoutMs'> {
	const { options } = read;
	const thinkingConfig = readThinking(options);
	refuseTwoWaysToThink(options, thinkingConfig);
	return {
		model: readModel(read),
		generationConfig: {
			...readNumbers(options, ['maxOutputTokens', 'temperature', 'topP']),
			...(Object.keys(thinkingConfig).length > 0 && { thinkingConfig }),
		},
		timeoutMs: options.numberOrDefault('timeout', { above: 0 }) * 1000,
	};
}

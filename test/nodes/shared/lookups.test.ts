import { textFailed } from '../../../nodes/GenerateContent/gemini/textFailed';
import { valueAt } from '../../../nodes/shared/lib/json';
import { wanByText } from '../../../nodes/shared/models/families/wan';
import { OPENAI } from '../../../nodes/shared/models/families/ways';
import { fit } from '../../../nodes/shared/models/fit';
import type { Shape } from '../../../nodes/shared/models/takes';

const shape = (ratio: string, resolution: string): Shape => ({
	...{ ratio, resolution, isForeign: false, name: 'wan2.5-t2v' },
});
const describeEnd = (reason: string) =>
	textFailed({ text: '', usageMetadata: {} }, { how: 'stopped', reason }, { message: 'It ended' })
		.description;

// All objects have these names, so that a table must not be a plain object.
it.each(['constructor', '__proto__', 'toString'])('%s is in no table of ours', (word) => {
	expect(fit({ only: ['16:9', '9:16'] }, word)).toBeUndefined();
	expect(OPENAI.shape!(shape('16:9', word))).toBeUndefined();
	expect(wanByText.shape!(shape('name', word))).toBeUndefined();
	expect(wanByText.shape!(shape(word, '720p'))).toBeUndefined();
	expect(valueAt({ a: {} }, `a.${word}`)).toBeUndefined();
	expect(describeEnd(word)).toBe('Run it again, or change the prompt.');
});

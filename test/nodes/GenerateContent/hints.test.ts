import type { IDataObject } from 'n8n-workflow';

import { generateContentHints } from '../../../nodes/GenerateContent/fields';
import { GenerateContent } from '../../../nodes/GenerateContent/GenerateContent.node';
import { shownHints } from '../../support/shownHints';

const node = new GenerateContent();
/** The first word of each hint. */
const shown = (parameters: IDataObject) =>
	shownHints(node, generateContentHints, parameters).map(({ message }) => message.split(' ')[0]);

const voice = 'Kore';
const tools = ['googleSearch'];

describe('the hint before a run', () => {
	it.each<[what: string, parameters: IDataObject, hints: string[]]>([
		['a voice without audio', { options: { voice } }, ['Voice']],
		['a voice with text', { options: { voice, responseModalities: ['TEXT'] } }, ['Voice']],
		['a voice with audio', { options: { voice, responseModalities: ['TEXT', 'AUDIO'] } }, []],
		['a voice and nobody knows', { options: { voice, responseModalities: '={{ $json.a }}' } }, []],
		['a voice that is empty', { options: { voice: '' } }, []],
		['a voice that is nothing', { options: { voice: null } }, []],
		['JSON with tools', { jsonOutput: true, options: { tools } }, ['Models']],
		['JSON with tools and nobody knows', { jsonOutput: true, options: { tools: '={{ [] }}' } }, []],
		['JSON without tools', { jsonOutput: true, options: { tools: [] } }, []],
		['JSON with no options', { jsonOutput: true, options: {} }, []],
		['tools without JSON', { jsonOutput: false, options: { tools } }, []],
	])('of %s', (_what, parameters, hints) => {
		expect(shown(parameters)).toEqual(hints);
	});
});

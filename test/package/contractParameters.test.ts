import { allows, drop, insideOf, newField, sees } from './support/changedPackage';

describe('parameters', () => {
	const show = { simplify: [true] };
	sees('another name', ({ option }) => (option('seed').name = 'seeds'), '"options.seed" is gone');
	sees(
		'another default',
		({ option }) => (option('maxWait').default = 31),
		'default was 30, is 31',
	);
	sees(
		'another type',
		({ field }) => (field('prompt').type = 'json'),
		'type was "string", is "json"',
	);
	sees('a lost value', ({ field }) => insideOf(field('wait')).pop(), 'option "none" is gone');
	sees('a lost mode', ({ field }) => field('model').modes!.pop(), '"model": mode "id" is gone');
	sees(
		'a list that is one',
		({ field }) => delete field('conversation', 'generateContent').typeOptions,
		'multiple was true, is none',
	);
	sees(
		'a lost hidden one',
		({ nodeOf }) => drop(nodeOf('videoStatus').properties, 'durableStep'),
		'"durableStep" is gone',
	);
	sees(
		'one that has to be filled in now',
		({ field }) => (field('prompt', 'generateContent').required = true),
		'"prompt": it is required now',
	);
	sees(
		'a new one that has to be filled in',
		({ nodeOf }) => nodeOf('videoStatus').properties.push(newField('who', { required: true })),
		'"who" is new and has to be filled in',
	);
	sees(
		'the loss of one of two of a name',
		({ nodeOf }) => drop(nodeOf('videoGenerate').properties, 'image'),
		'"image": it may be hidden',
	);
	sees(
		'one that is shown less often',
		({ field }) => (field('prompt').displayOptions = { show }),
		'"prompt": it may be hidden',
	);
	sees(
		'one that is hidden more often',
		({ field }) => (field('prompt').displayOptions = { hide: show }),
		'"prompt": it may be hidden',
	);
	allows(
		'one that is shown more often',
		({ field }) => delete field('downloadVideo').displayOptions,
	);
	allows('a new value', ({ field }) =>
		insideOf(field('wait')).push({ name: 'New', value: 'new' } as never),
	);
	allows('a new one', ({ nodeOf }) => nodeOf('videoStatus').properties.push(newField('who')));
	allows('other words', ({ field }) =>
		Object.assign(field('prompt'), { displayName: 'Text', description: 'New' }),
	);
});

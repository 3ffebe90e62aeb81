import type { INodeProperties, NodeHint } from 'n8n-workflow';

export const rawResponseField: INodeProperties = {
	displayName: 'Raw Response',
	name: 'rawResponse',
	type: 'boolean',
	default: true,
	description:
		"Whether to add the service's last answer, without files, as the field response. Use it to see why an item failed.",
};

export const taskIdField: INodeProperties = {
	displayName: 'Task ID',
	name: 'taskId',
	type: 'string',
	default: '={{ $json.task_id }}',
	required: true,
	placeholder: 'e.g. task_abc123',
	description:
		'The task_id returned by Video Generate. For a failed item, the default takes the task ID in its error.',
};

/** n8n sorts collections by display name. */
export const optionsField = (...options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: options.sort((one, other) => one.displayName.localeCompare(other.displayName)),
});

export const leaveOutInputFieldsField: INodeProperties = {
	displayName: 'Leave Out Input Fields',
	name: 'leaveOutInputFields',
	type: 'boolean',
	default: true,
	description:
		"Whether to return only the node's own fields and files, without those of the input item",
};

export const outputBinaryField: INodeProperties = {
	displayName: 'Output Binary Field',
	name: 'binaryProperty',
	type: 'string',
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
};

export const fileNameField: INodeProperties = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. launch-teaser.mp4',
	description: 'The name of the file. The default is the task ID.',
};

export const linkField: INodeProperties = {
	displayName: 'Link (Hours)',
	name: 'link',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 8760 },
	default: 24,
	description:
		'How many hours a link to the file stays valid. Anyone who has the link can open the file.',
};

/** Returns the field for a model, which is chosen from a list or typed. */
export function modelField(
	searchListMethod: string,
	exampleModel: string,
	description: string,
): INodeProperties {
	return {
		displayName: 'Model',
		name: 'model',
		type: 'resourceLocator',
		// Deployments name their models as they like: one that is filled in may be none of theirs.
		default: { mode: 'list', value: '' },
		required: true,
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a model...',
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${exampleModel}` },
		],
	};
}

/** For a node that costs nothing itself, as long as it has no input. */
export const paysFirstHint: NodeHint = {
	message:
		'Execute step also runs earlier nodes that have no output. If Video Generate is one of them, it renders, and you pay for it.',
	// Without input, the editor cannot evaluate what reads it.
	displayCondition:
		'={{ (() => { try { return $input.all().length === 0; } catch { return true; } })() }}',
	whenToDisplay: 'beforeExecution',
	location: 'outputPane',
};

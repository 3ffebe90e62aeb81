import type { INodeProperties } from 'n8n-workflow';

import { modelField, optionsField, rawResponseField, taskIdField } from '../shared/fields/common';

const forOperation = (operation: string) => ({ show: { operation: [operation] } });

/** The states of a task, as people call them, with the words that items have for them. */
const STATUSES = [
	{ name: 'Queued', value: 'queued' },
	{ name: 'Rendering', value: 'IN_PROGRESS' },
	{ name: 'Done', value: 'SUCCESS' },
	{ name: 'Failed', value: 'FAILURE' },
];

export const videoTasksFields: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'getAll',
		options: [
			{
				name: 'Cancel',
				value: 'cancel',
				description: 'Stop a task that has not ended',
				action: 'Cancel a task',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				description: 'List the tasks that your key has ordered lately',
				action: 'Get many tasks',
			},
		],
	},
	{ ...taskIdField, displayOptions: forOperation('cancel') },
	{
		...modelField(
			'searchTaskModels',
			'fal-ai/veo3.1',
			'The model whose tasks to list. fal needs one; elsewhere, leave it empty for all models.',
		),
		required: undefined,
		displayOptions: forOperation('getAll'),
	},
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		displayOptions: forOperation('getAll'),
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { operation: ['getAll'], returnAll: [false] } },
		description: 'Max number of results to return',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		displayOptions: forOperation('getAll'),
		options: [
			{
				displayName: 'Since',
				name: 'since',
				type: 'dateTime',
				default: '',
				description:
					"Return only tasks that were submitted at this time or later, in the workflow's time zone",
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: STATUSES,
				default: 'SUCCESS',
				description: 'Return only tasks in this state',
			},
		],
	},
	optionsField(rawResponseField),
];

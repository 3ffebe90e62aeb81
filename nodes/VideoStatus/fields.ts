import type { INodeProperties } from 'n8n-workflow';

import {
	leaveOutInputFieldsField,
	optionsField,
	rawResponseField,
	taskIdField,
} from '../shared/fields/common';

export const videoStatusFields: INodeProperties[] = [
	taskIdField,
	{
		displayName: 'Route by State',
		name: 'routeByState',
		type: 'boolean',
		// The editor draws the outputs by it, before there is an item that an expression could read.
		noDataExpression: true,
		default: true,
		description:
			'Whether to route tasks to three outputs: Done, Rendering and Failed. If off, all tasks go to one output.',
	},
	optionsField(leaveOutInputFieldsField, rawResponseField),
	{
		// Set only in the sub-executions of Durable.
		displayName: 'Durable Step',
		name: 'durableStep',
		type: 'hidden',
		default: '',
	},
];

import type { INodeProperties } from 'n8n-workflow';

import { simplifyField } from '../shared/fields/simplify';
import { taskIdField } from '../shared/fields/taskId';

export const videoStatusFields: INodeProperties[] = [
	taskIdField,
	{
		displayName: 'Route by State',
		name: 'routeByState',
		type: 'boolean',
		// It shapes the node on the canvas, where no item is there to ask.
		noDataExpression: true,
		default: true,
		description:
			'Whether to have three outputs: Done, Rendering and Failed. When off, all tasks leave by one output.',
	},
	simplifyField,
	{
		// Set in the sub-executions of Durable waiting only.
		displayName: 'Durable Step',
		name: 'durableStep',
		type: 'hidden',
		default: '',
	},
];

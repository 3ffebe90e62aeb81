// What `npm test` lints with: n8n's own rules, and one of ours. A function is read in one sitting.
import { config } from '@n8n/node-cli/eslint';

export default [
	...config,
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		rules: { 'max-lines-per-function': ['error', 80] },
	},
];

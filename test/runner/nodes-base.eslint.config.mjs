// eslint-plugin-n8n-nodes-base on its own. @n8n/node-cli brings the same rule sets, switches the
// same three kinds of rules off (not valid for community nodes), and says why in its own source.
// One rule is ours: a function is read in one sitting.
import { createRequire } from 'node:module';
import plugin from 'eslint-plugin-n8n-nodes-base';

const require = createRequire(import.meta.url);
// The parser that node-cli lints with; it is no dependency of ours.
const { parser } = createRequire(require.resolve('@n8n/node-cli/eslint'))('typescript-eslint');

const rulesFor = (files, { rules }, ...off) => ({
	files: [files],
	languageOptions: { parser, parserOptions: { extraFileExtensions: ['.json'] } },
	plugins: { 'n8n-nodes-base': plugin },
	rules: {
		...rules,
		'max-lines-per-function': ['error', 80],
		...Object.fromEntries(off.map((name) => [`n8n-nodes-base/${name}`, 'off'])),
	},
});

export default [
	rulesFor('package.json', plugin.configs.community),
	rulesFor(
		'credentials/**/*.ts',
		plugin.configs.credentials,
		'cred-class-field-documentation-url-miscased',
		'cred-class-field-type-options-password-missing',
	),
	rulesFor(
		'nodes/**/*.ts',
		plugin.configs.nodes,
		'node-class-description-inputs-wrong-regular-node',
		'node-class-description-outputs-wrong',
		'node-param-type-options-max-value-present',
	),
];

import { toolStep } from './tools.mjs';

export const typeSteps = () => [
	toolStep('Types of the nodes', 'tsc', ['--noEmit']),
	toolStep('Types of the tests', 'tsc', ['--noEmit', '-p', 'test']),
];

export const formatSteps = () => [
	toolStep('Format', 'prettier', ['--check', '--log-level', 'warn', '.']),
];

import { toolStep } from './tools.mjs';

const NODES = toolStep('Types of the nodes', 'tsc', ['--noEmit']);
const TESTS = toolStep('Types of the tests', 'tsc', ['--noEmit', '-p', 'test']);

export const typeSteps = () => [NODES, TESTS];

/** The build that follows checks the types of the nodes. */
export const fastTypeSteps = () => [TESTS];

export const formatSteps = () => [
	toolStep('Format', 'prettier', ['--check', '--log-level', 'warn', '.']),
];

/** A line for whoever reads the test run; through Jest's console, which no worker process loses. */
export function print(line: string): void;

/** A line for whoever reads the test run; Jest's own console would add where it came from. */
export function print(line: string): void;

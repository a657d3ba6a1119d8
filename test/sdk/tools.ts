import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installSideTools } from '../support/side-tools.js';

const run = promisify(execFile);
/** They neither look for news of themselves nor tell anybody of their use. */
const quiet = {
  ...process.env,
  NO_COLOR: '1',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  REDOCLY_TELEMETRY: 'off',
  ORVAL_TELEMETRY_DISABLED: '1',
};

export interface Ended {
  readonly code: number;
  /** What it wrote, errors last. */
  readonly said: string;
}

/** What integrators put the OpenAPI documents into. Each tool writes to `work`, a folder of one story. */
export class SdkTools {
  private constructor(
    private readonly home: string,
    private readonly work: string,
  ) {}

  /** @throws Error where they cannot be installed (no network) */
  static async install(work: string): Promise<SdkTools> {
    return new SdkTools(await installSideTools(join(import.meta.dirname, 'generators')), work);
  }

  redocly(document: string): Promise<Ended> {
    return this.#tool('redocly', ['lint', document, '--extends', 'recommended-strict', '--format', 'json']);
  }

  spectral(document: string): Promise<Ended> {
    const rules = join(this.home, '.spectral.yaml');
    return this.#tool('spectral', ['lint', document, '-r', rules, '-F', 'hint', '--format', 'text']);
  }

  openapiTypescript(document: string): Promise<Ended> {
    return this.#tool('openapi-typescript', [document, '-o', 'openapi-typescript/schema.ts']);
  }

  heyApi(document: string): Promise<Ended> {
    return this.#tool('openapi-ts', ['-i', document, '-o', 'hey-api', '-c', '@hey-api/client-fetch']);
  }

  orval(document: string): Promise<Ended> {
    return this.#tool('orval', ['--input', document, '--output', 'orval/client.ts', '--client', 'fetch']);
  }

  /** Strict, declarations of libraries included; the JavaScript goes to `built`, for Node as CommonJS. */
  compile(files: readonly string[]): Promise<Ended> {
    const target = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
    const modules = ['--module', 'commonjs', '--moduleResolution', 'node10', '--outDir', 'built'];
    return this.#tool('tsc', ['--strict', ...target, ...modules, '--rootDir', '.', ...files]);
  }

  /** The generators in Java; they know OpenAPI 3.0. */
  java(language: string, document: string): Promise<Ended> {
    const jar = join(this.home, 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar');
    return this.run('java', ['-jar', jar, 'generate', '-g', language, '-i', document, '-o', language]);
  }

  /** Runs a program in the folder of the story; it is no error that it fails, only that it cannot be started. */
  async run(program: string, words: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    const options = {
      cwd: this.work,
      env: { ...quiet, ...env },
      timeout: 240_000,
      maxBuffer: 64 * 1024 * 1024,
    };
    try {
      const { stdout, stderr } = await run(program, words, options);
      return { code: 0, said: stdout + stderr };
    } catch (thrown) {
      const { code, stdout, stderr } = thrown as { code?: unknown; stdout?: string; stderr?: string };
      if (typeof code !== 'number') throw thrown;
      return { code, said: `${stdout ?? ''}${stderr ?? ''}` };
    }
  }

  #tool(name: string, words: readonly string[]): Promise<Ended> {
    return this.run(process.execPath, [join(this.home, 'node_modules', '.bin', name), ...words]);
  }
}

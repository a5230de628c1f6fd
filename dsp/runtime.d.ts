// What every JavaScript runtime has beyond the language itself. Only tsconfig.dsp.json reads this file: the page, its workers and the
// server have fuller declarations of their own.
declare namespace WebAssembly {
  class Module {
    constructor(bytes: ArrayBuffer | Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>)
    readonly exports: Record<string, unknown>
  }
  class CompileError extends Error {}
  class Memory {
    constructor(descriptor: { initial: number; maximum: number })
    readonly buffer: ArrayBuffer
  }
}
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>
}
declare class TextDecoder {
  decode(bytes: Uint8Array): string
}

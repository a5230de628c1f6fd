declare module '@marbec/web-auto-extractor' {
  export default class WebAutoExtractor {
    constructor(options: { addLocation: boolean; embedSource: readonly string[] })
    /** Returns the structured data of a document. */
    parse(html: string): object
  }
}

declare module '@adobe/structured-data-validator' {
  export default class Validator {
    /** Checks the data that `WebAutoExtractor` has extracted against Google's rules for rich results. */
    validate(structuredData: object): Promise<{ issueMessage: string; severity: 'ERROR' | 'WARNING' }[]>
  }
}

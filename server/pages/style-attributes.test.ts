import { expect, it } from 'vitest'
import { liftStyles } from './style-attributes.ts'

it('gives equal styles one rule, and leaves texts alone', () => {
  const { markup, css } = liftStyles(
    '<b style="width:10%">style="x"</b><i class="a" style="width:10%"></i><u style="--a:&quot;b&quot;"></u>',
  )
  expect(markup).toBe('<b data-style="0">style="x"</b><i class="a" data-style="0"></i><u data-style="1"></u>')
  expect(css).toBe('#root [data-style="0"]{width:10%}#root [data-style="1"]{--a:"b"}')
})

it('drops what could end a rule or the sheet', () => {
  expect(liftStyles('<b style="color:red}*{x:y"></b><b style="a:&lt;/style&gt;"></b>')).toEqual({ markup: '<b></b><b></b>', css: '' })
})

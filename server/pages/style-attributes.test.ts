import { expect, it } from 'vitest'
import { extractStyleAttributes } from './style-attributes.ts'

it('style attributes: equal styles share one rule, and text is unchanged', () => {
  const { markup, css } = extractStyleAttributes(
    '<b style="width:10%">style="x"</b><i class="a" style="width:10%"></i><u style="--a:&quot;b&quot;"></u>',
  )
  expect(markup).toBe('<b data-style="0">style="x"</b><i class="a" data-style="0"></i><u data-style="1"></u>')
  expect(css).toBe('#root [data-style="0"]{width:10%}#root [data-style="1"]{--a:"b"}')
})

it('style attributes: a style is dropped if it could end its rule or the style sheet', () => {
  expect(extractStyleAttributes('<b style="color:red}*{x:y"></b><b style="a:&lt;/style&gt;"></b>')).toEqual({
    markup: '<b></b><b></b>',
    css: '',
  })
})

process BANKSIDE_BATCH {
    tag "$meta.id"
    label 'process_medium'

    // packages/container/Dockerfile makes it
    container "bankside:0.1.0"

    input:
    tuple val(meta), path(images, stageAs: 'images/*')
    path recipe

    output:
    tuple val(meta), path("${prefix}/*"), emit: results
    tuple val(meta), path("${prefix}.report.json"), emit: report
    tuple val(meta), path("${prefix}.report.csv"), emit: table
    tuple val("${task.process}"), val('bankside'), eval('bankside --version | cut -d" " -f2'), topic: versions, emit: versions_bankside

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    prefix = task.ext.prefix ?: "${meta.id}"
    """
    bankside batch images ${prefix} \\
        --recipe ${recipe} \\
        --manifest ${prefix}.jsonl \\
        --json ${prefix}.report.json \\
        --csv ${prefix}.report.csv \\
        --threads ${task.cpus} \\
        --memory ${task.memory.toMega().intdiv(2)}M \\
        --no-progress \\
        ${args}

    bankside batch audit --manifest ${prefix}.jsonl
    """

    stub:
    prefix = task.ext.prefix ?: "${meta.id}"
    """
    mkdir ${prefix}
    touch ${prefix}/image.max.tiff ${prefix}.report.json ${prefix}.report.csv
    """
}

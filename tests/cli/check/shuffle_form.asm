!!NVcp5.0
OPTION NV_shader_thread_shuffle;
GROUP_SIZE 32;
TEMP R;
SHFUP R, R;
END
